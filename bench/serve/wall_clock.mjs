// The time of day with fractions of a millisecond, which Date.now() has not: events are compared with clocks of
// other processes on the same machine.

const kLookMillis = 5;

// Date.now() is cut off, and this thread may have to wait before it reads the other clock: both make the difference
// too small. So the largest is the right one.
function offset() {
  let largest = -Infinity;
  for (const end = performance.now() + kLookMillis; performance.now() < end;) {
    largest = Math.max(largest, Date.now() - performance.now());
  }
  return largest;
}

const kOffset = offset();

// Milliseconds since 1970.
export function wallNow() {
  return kOffset + performance.now();
}
