// Dark or light: as the system says, or as somebody chose here.

export type Theme = 'system' | 'light' | 'dark';

const kStored = 'falconer.theme';
const kThemes: Theme[] = ['system', 'light', 'dark'];

export function storedTheme(): Theme {
  const stored = localStorage.getItem(kStored) as Theme | null;
  return stored && kThemes.includes(stored) ? stored : 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(kStored, theme);
  applyTheme(theme);
}
