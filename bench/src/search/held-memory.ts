/**
 * Bytes that this process holds: of the heap, and outside of it, such as the memory of WebAssembly. Start Node with --expose-gc, or garbage counts,
 * too. The resident set would also count heap that was used before and is free.
 */
export function heldMemory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
