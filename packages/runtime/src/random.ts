/** The only source of randomness. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
}

/** A whole number in [from, to], both included. */
export function randomInteger(random: Random, from: number, to: number): number {
  return from + Math.floor(random.next() * (to - from + 1))
}
