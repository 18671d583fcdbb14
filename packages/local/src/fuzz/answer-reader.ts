/** A response as received over a socket. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** Splits what a server sends into responses. Bodies must have a Content-Length, as all of this server's do. */
export class AnswerReader {
  #received: Buffer = Buffer.alloc(0)

  /** The received bytes after the last complete response. */
  get rest(): Buffer {
    return this.#received
  }

  /** @returns the responses that these bytes complete, except those with status 100. */
  read(bytes: Buffer): RawAnswer[] {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const answers: RawAnswer[] = []
    let at = 0
    while (true) {
      const end = this.#received.indexOf('\r\n\r\n', at)
      if (end < 0) break
      const [statusLine = '', ...lines] = this.#received.toString('latin1', at, end).split('\r\n')
      const headers = new Map(
        lines.map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
      )
      const to = end + 4 + Number(headers.get('content-length') ?? 0)
      if (!(to <= this.#received.length)) break
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
      if (status !== 100) answers.push({ status, headers, body: this.#received.subarray(end + 4, to) })
      at = to
    }
    this.#received = this.#received.subarray(at)
    return answers
  }
}
