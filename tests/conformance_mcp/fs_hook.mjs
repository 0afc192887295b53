// Gives the suite our `fs` instead of Node's.
export async function resolve(specifier, context, next) {
  const isOfSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  if (specifier !== 'fs' || !isOfSuite) return next(specifier, context);
  return next(new URL('fs_with_glob.mjs', import.meta.url).href, context);
}
