import { useEffect, useState } from 'preact/hooks'
import { latest } from './data'
import { view } from './view'

/** An answer about the table or index that is looked at, or why there is none. */
export interface ApiAnswer<Of> {
  readonly answer: Of | undefined
  readonly failure: string | undefined
}

/**
 * Asks the API about the table or index that is looked at.
 * @param options.follows whether to ask again each second
 */
export function useApi<Of>(path: string, { follows }: { readonly follows: boolean }): ApiAnswer<Of> {
  const [result, setResult] = useState<ApiAnswer<Of>>({ answer: undefined, failure: undefined })
  const { region, table, index } = view.value
  const tick = follows ? latest.value : 0
  useEffect(() => {
    const controller = new AbortController()
    const parameters = new URLSearchParams({ region, table, ...(index === '' ? {} : { index }) })
    const ask = async () => {
      const response = await fetch(`v1/${path}?${parameters}`, { signal: controller.signal })
      const body = await response.json()
      setResult(
        response.ok
          ? { answer: body, failure: undefined }
          : { answer: undefined, failure: body.error.message },
      )
    }
    // Without a connection, what is shown stays, and the header says so.
    ask().catch(() => undefined)
    return () => controller.abort()
  }, [path, region, table, index, tick])
  return result
}
