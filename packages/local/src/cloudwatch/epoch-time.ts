/** A time in a response: seconds since the epoch in JSON, and ISO 8601 in XML. */
export class EpochTime {
  readonly milliseconds: number

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
  }

  toJSON(): number {
    return this.milliseconds / 1000
  }

  toISOString(): string {
    return new Date(this.milliseconds).toISOString()
  }
}
