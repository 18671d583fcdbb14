import { NOT_FOUND_TEXT } from '@isotherm/semantics'
/** The table was deleted during the request. Another table of the same name may exist by now. */
export class TableGone extends Error {
  override readonly name = 'TableGone'

  constructor() {
    super(NOT_FOUND_TEXT)
  }
}
