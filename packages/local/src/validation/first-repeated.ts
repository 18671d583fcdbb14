/** The first text that was in the list before, in linear time: a request can have hundreds of thousands. */
export function firstRepeated(texts: readonly string[]): string | undefined {
  const known = new Set<string>()
  return texts.find((text) => known.size === known.add(text).size)
}
