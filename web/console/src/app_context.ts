// What every part of the console has at hand once somebody has signed in.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from './api';
import type { Live } from './live';
import type { Role } from './types';

export interface App {
  api: Api;
  live: Live;
  role: Role;
  /** Tells something in passing, to those who see and to those who hear. */
  say(text: string): void;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  return useContext(AppContext)!;
}

const kMayDecide: Role[] = ['approver', 'operator'];
const kMayDrive: Role[] = ['operator'];

export function mayDecide(role: Role): boolean {
  return kMayDecide.includes(role);
}
export function mayDrive(role: Role): boolean {
  return kMayDrive.includes(role);
}
