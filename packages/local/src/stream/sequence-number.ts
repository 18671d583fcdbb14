/** Digits of a sequence number. The API allows 21 to 40. */
const DIGITS = 21

/** How many sequence numbers one millisecond has. */
const NUMBERS_PER_MILLISECOND = 100_000_000n

/** A position in a stream: decimal digits of equal length, so that their text order is their numeric order. */
export type SequenceNumber = string

/** The first sequence number of a time in milliseconds since the epoch. */
export function sequenceNumberAt(milliseconds: number): SequenceNumber {
  return print(BigInt(Math.max(0, Math.floor(milliseconds))) * NUMBERS_PER_MILLISECOND)
}

/** Generates strictly increasing sequence numbers, even when the clock goes back. */
export class SequenceNumbers {
  #last: bigint

  /** @param last the number after which to begin. */
  constructor(last: SequenceNumber = sequenceNumberAt(0)) {
    this.#last = BigInt(last)
  }

  next(now: number): SequenceNumber {
    const fromTime = BigInt(Math.floor(now)) * NUMBERS_PER_MILLISECOND
    this.#last = fromTime > this.#last ? fromTime : this.#last + 1n
    return print(this.#last)
  }
}

function print(number: bigint): SequenceNumber {
  return String(number).padStart(DIGITS, '0')
}

/** Normalises a number to the fixed length, however many leading zeros it has. */
export function canonicalNumber(number: SequenceNumber): SequenceNumber {
  return print(BigInt(number))
}

/** The previous sequence number. */
export function previousNumber(number: SequenceNumber): SequenceNumber {
  return print(BigInt(number) - 1n)
}
