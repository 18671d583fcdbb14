const INDEX_BITS = 8
const REGISTERS = 2 ** INDEX_BITS
/** The constant of Flajolet, Fusy, Gandouet and Meunier (2007) for this number of registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** Estimates the number of distinct texts with HyperLogLog: 256 bytes, and a typical error of 6.5 %. */
export class UniqueCount {
  readonly #registers = new Uint8Array(REGISTERS)

  add(text: string): void {
    const hash = hashOf(text)
    const index = hash >>> (32 - INDEX_BITS)
    const zeros = Math.clz32((hash << INDEX_BITS) | (REGISTERS - 1)) + 1
    if (zeros > (this.#registers[index] ?? 0)) this.#registers[index] = zeros
  }

  /** Adds everything that the other one counted. */
  merge(other: UniqueCount): void {
    const [own, others] = [this.#registers, other.#registers]
    // A report of weeks merges tens of thousands of counts, and an iterator takes ten times as long.
    for (let index = 0; index < REGISTERS; index++) {
      const zeros = others[index] ?? 0
      if (zeros > (own[index] ?? 0)) own[index] = zeros
    }
  }

  get estimate(): number {
    let sum = 0
    let empty = 0
    for (const zeros of this.#registers) {
      sum += 2 ** -zeros
      if (zeros === 0) empty++
    }
    const raw = (ALPHA * REGISTERS * REGISTERS) / sum
    // For few texts, the number of empty registers is a better estimate.
    const isSmall = raw <= 2.5 * REGISTERS && empty > 0
    return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : raw)
  }
}

/** FNV-1a, followed by the finalizer of MurmurHash3. Without it, the first bits of similar texts are alike. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
