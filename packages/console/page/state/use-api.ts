import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiAnswer, askApi } from './ask-api'
import { connections, latest } from './data'
import { view } from './view'

const NOTHING = { answer: undefined, failure: undefined } as const

/**
 * Asks the API about the table or index that is looked at. An earlier answer stays beside the failure of a later one.
 * @param options.follows whether to ask again each second, or when the answer is there if that takes longer
 */
export function useApi<Of>(path: string, { follows }: { readonly follows: boolean }): ApiAnswer<Of> {
  const { region, table, index } = view.value
  const question = `${path}?${new URLSearchParams({ region, table, ...(index === '' ? {} : { index }) })}`
  const [result, setResult] = useState<ApiAnswer<Of> & { readonly to: string }>({ ...NOTHING, to: question })
  const asking = useRef<AbortController | undefined>(undefined)
  const connection = connections.value
  const tick = follows ? latest.value : 0
  useEffect(
    () => () => {
      asking.current?.abort()
      asking.current = undefined
    },
    [question, connection],
  )
  useEffect(() => {
    // A slow upstream would never answer if each second asked anew.
    if (asking.current !== undefined) return
    const controller = new AbortController()
    asking.current = controller
    askApi<Of>(question, controller)
      .then((answer) => {
        if (asking.current !== controller) return
        setResult((before) => {
          const isKept = answer.failure !== undefined && before.to === question
          return { ...answer, ...(isKept ? { answer: before.answer } : {}), to: question }
        })
      })
      // Without a connection, what is shown stays, and the header says so.
      .catch(() => undefined)
      .finally(() => {
        if (asking.current === controller) asking.current = undefined
      })
  }, [question, connection, tick])
  // An answer about another table must not be shown under the name of this one.
  return result.to === question ? result : NOTHING
}
