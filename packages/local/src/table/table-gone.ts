/** The table was deleted during the request. Another table of the same name may exist by now. */
export class TableGone extends Error {
  override readonly name = 'TableGone'

  constructor() {
    super('Requested resource not found')
  }
}
