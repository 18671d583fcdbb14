import { answerWithoutShadowKeys, errorWithoutShadowKeys } from './answer-without-shadow-keys.js'
import type { IndexedTables } from './indexed-table.js'
import { requestWithShadowKeys } from './request-with-shadow-keys.js'

type Input = Readonly<Record<string, unknown>>

/** Adds shadow keys to the request, and removes them from the response. */
export async function withShadowKeys(
  tables: IndexedTables,
  operation: string,
  asked: Input,
  answer: (input: Input) => Promise<object>,
): Promise<object> {
  const input = requestWithShadowKeys(tables, operation, asked)
  try {
    return answerWithoutShadowKeys(tables, input, await answer(input))
  } catch (error) {
    throw errorWithoutShadowKeys(tables, input, error)
  }
}
