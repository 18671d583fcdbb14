import { useEffect, useState } from 'preact/hooks'
import type { TableDescription } from '../../src/definitions/table-definition'
import { connections } from '../state/data'
import { messageOf } from '../state/message-of'
import { view } from '../state/view'
import { call } from './call'

/** The description of the table that is looked at, or why there is none. */
export interface Described {
  readonly description: TableDescription | undefined
  readonly failure: string | undefined
  /** Asks again, after a change. */
  readonly refresh: () => void
}

export function useDescription(): Described {
  const { region, table } = view.value
  const [turn, setTurn] = useState(0)
  const [found, setFound] = useState<Omit<Described, 'refresh'>>({
    description: undefined,
    failure: undefined,
  })
  useEffect(() => {
    let isCurrent = true
    const show = (result: typeof found) => {
      if (isCurrent) setFound(result)
    }
    call<{ Table: TableDescription }>('DescribeTable', { TableName: table }).then(
      ({ Table: description }) => show({ description, failure: undefined }),
      (error: unknown) => show({ description: undefined, failure: messageOf(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [region, table, turn, connections.value])
  // What was found before is of another table.
  const isOther = found.description !== undefined && found.description.TableName !== table
  const shown = isOther ? { description: undefined, failure: undefined } : found
  return { ...shown, refresh: () => setTurn((count) => count + 1) }
}
