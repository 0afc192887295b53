// The name under which somebody decides and drives: remembered by this browser, told anew each time.

const kStored = 'falconer.person';

export function storedPerson(): string {
  return localStorage.getItem(kStored) ?? '';
}

export function storePerson(name: string): void {
  localStorage.setItem(kStored, name);
}
