import { useEffect, useState } from 'preact/hooks'
import { call } from '../dynamodb/call'
import { messageOf } from '../state/message-of'
import { view } from '../state/view'

interface TimeToLive {
  readonly TimeToLiveDescription?: { readonly TimeToLiveStatus?: string; readonly AttributeName?: string }
}

/** The time to live of the table that is looked at, in words. */
export function useTimeToLive(): string {
  const { region, table } = view.value
  const [text, setText] = useState('…')
  useEffect(() => {
    let isCurrent = true
    call<TimeToLive>('DescribeTimeToLive', { TableName: table }).then(
      ({ TimeToLiveDescription: { TimeToLiveStatus, AttributeName } = {} }) =>
        isCurrent &&
        setText(
          AttributeName === undefined ? 'off' : `${AttributeName}, ${TimeToLiveStatus?.toLowerCase() ?? ''}`,
        ),
      (error: unknown) => isCurrent && setText(messageOf(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [region, table])
  return text
}
