/**
 * Bytes that print themselves as base64 in JSON, so that a response with binary values needs no walk before it is
 * encoded. To everyone else they are an ordinary Uint8Array.
 */
export class WireBytes extends Uint8Array {
  /** The bytes of canonical base64 text; nothing when the text is none. */
  static fromBase64(text: string): WireBytes | undefined {
    if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
    return new WireBytes(Buffer.from(text, 'base64'))
  }

  toJSON(): string {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64')
  }
}
