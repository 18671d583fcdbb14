import { useEffect, useState } from 'preact/hooks'
import { connections, latest } from './data'
import { view } from './view'

/** An answer about the table or index that is looked at, or why there is none. */
export interface ApiAnswer<Of> {
  readonly answer: Of | undefined
  readonly failure: string | undefined
}

const NOTHING = { answer: undefined, failure: undefined } as const

/**
 * Asks the API about the table or index that is looked at.
 * @param options.follows whether to ask again each second
 */
export function useApi<Of>(path: string, { follows }: { readonly follows: boolean }): ApiAnswer<Of> {
  const { region, table, index } = view.value
  const question = `${path}?${new URLSearchParams({ region, table, ...(index === '' ? {} : { index }) })}`
  const [result, setResult] = useState<ApiAnswer<Of> & { readonly to: string }>({ ...NOTHING, to: question })
  const tick = follows ? latest.value : connections.value
  useEffect(() => {
    const controller = new AbortController()
    const ask = async () => {
      const response = await fetch(`v1/${question}`, { signal: controller.signal })
      const body = await response.json()
      setResult(
        response.ok
          ? { answer: body, failure: undefined, to: question }
          : { answer: undefined, failure: body.error.message, to: question },
      )
    }
    // Without a connection, what is shown stays, and the header says so.
    ask().catch(() => undefined)
    return () => controller.abort()
  }, [question, tick])
  // An answer about another table must not be shown under the name of this one.
  return result.to === question ? result : NOTHING
}
