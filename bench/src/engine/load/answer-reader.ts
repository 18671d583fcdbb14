/** Finds where an answer ends. There is one answer at a time on a connection. */
export interface AnswerReader {
  /** @returns the whole answer, once it is complete. @throws Error if it reports a failure */
  read(piece: Buffer): Buffer | undefined
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Answers of HTTP, with a length or in chunks. */
export class HttpAnswerReader implements AnswerReader {
  #pieces: Buffer[] = []
  #bytes = 0

  read(piece: Buffer): Buffer | undefined {
    if (this.#pieces.length === 0) {
      const bytes = lengthOf(piece)
      if (bytes === piece.length) return piece
      this.#bytes = bytes
    }
    // The generator reads into the same memory again.
    this.#pieces.push(Buffer.from(piece))
    // The length may have come with a later piece.
    if (Number.isNaN(this.#bytes)) this.#bytes = lengthOf(Buffer.concat(this.#pieces))
    if (!this.#isComplete()) return
    const answer = Buffer.concat(this.#pieces)
    this.#pieces = []
    return answer
  }

  #isComplete(): boolean {
    if (this.#bytes !== Number.POSITIVE_INFINITY) {
      return this.#pieces.reduce((sum, { length }) => sum + length, 0) >= this.#bytes
    }
    return Buffer.concat(this.#pieces.slice(-LAST_CHUNK.length))
      .subarray(-LAST_CHUNK.length)
      .equals(LAST_CHUNK)
  }
}

/** The bytes of an answer with its head. NaN if they are not known yet, and infinite in chunks. */
function lengthOf(answer: Buffer): number {
  const end = answer.indexOf(HEAD_END)
  if (end < 0) return Number.NaN
  const head = answer.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(answer.toString())
  const length = /content-length: *(\d+)/i.exec(head)?.[1]
  return length === undefined ? Number.POSITIVE_INFINITY : end + HEAD_END.length + Number(length)
}

/** The JSON of an answer, and the headers that the server chose. */
export function parsedAnswer(answer: Buffer): { headers: Record<string, string>; body: string } {
  const text = answer.toString()
  const end = text.indexOf('\r\n\r\n')
  const lines = text.slice(text.indexOf('\r\n') + 2, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  for (const name of ['date', 'connection', 'keep-alive']) delete headers[name]
  const rest = text.slice(end + 4)
  const isChunked = lines.some((line) => /^transfer-encoding: *chunked/i.test(line))
  return { headers, body: isChunked ? rest.replaceAll(/(?:^|\r\n)[\da-f]+\r\n/gi, '').trim() : rest }
}

/** Answers of Redis to SET and GET: a line, or a text behind its length. */
export class RedisAnswerReader implements AnswerReader {
  #received = Buffer.alloc(0)

  read(piece: Buffer): Buffer | undefined {
    const answer = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece])
    const line = answer.indexOf('\r\n')
    if (answer[0] === 0x2d) throw new Error(answer.toString())
    const bytes = answer[0] === 0x24 ? line + 4 + Number(answer.toString('latin1', 1, line)) : line + 2
    if (line < 0 || answer.length < bytes) {
      this.#received = Buffer.from(answer)
      return
    }
    this.#received = Buffer.alloc(0)
    return answer
  }
}
