/**
 * Bytes that print as base64 in JSON, so that a response with binary values can be encoded without visiting it first.
 * For all other purposes they are an ordinary Uint8Array.
 */
export class WireBytes extends Uint8Array {
  /** Decodes canonical base64. Returns `undefined` when the text is not canonical base64. */
  static fromBase64(text: string): WireBytes | undefined {
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
    return new WireBytes(Buffer.from(text, 'base64'))
  }

  toJSON(): string {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64')
  }
}
