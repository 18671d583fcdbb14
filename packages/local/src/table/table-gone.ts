/** A table that was deleted while a request to it was on its way. There may be another one of its name by now. */
export class TableGone extends Error {
  override readonly name = 'TableGone'

  constructor() {
    super('Requested resource not found')
  }
}
