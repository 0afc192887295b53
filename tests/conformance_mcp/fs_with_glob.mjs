// What the suite takes from `fs`, for Node before 22, which has no globSync. The suite names it for
// its other commands; `server` never calls it.
export * from 'node:fs';
export function globSync() {
  throw new Error('globSync needs Node 22');
}
