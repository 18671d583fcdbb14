import { invalidParameters } from '../errors/service-error.js'
import type { StreamViewType } from '../stream/stream-record.js'
import type { Shape } from './shape.js'

/** A table's stream settings in the form of requests. */
export interface StreamSpecificationInput {
  readonly StreamEnabled: boolean
  readonly StreamViewType?: StreamViewType
}

export const STREAM_SPECIFICATION = {
  type: 'structure',
  members: {
    StreamEnabled: { type: 'boolean', required: true },
    StreamViewType: {
      type: 'string',
      oneOf: ['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'],
    },
  },
} as const satisfies Shape

/** How the service words a view type that is missing, and one that is too much. */
interface ViewTypeTexts {
  readonly missing: string
  readonly refused: string
}

export const OF_NEW_STREAM: ViewTypeTexts = {
  missing: 'Table is being created with a stream enabled, UpdateViewType is required',
  refused: 'Table is being created with a stream disabled, UpdateViewType should not be specified',
}

export const OF_STREAM: ViewTypeTexts = {
  missing: 'If stream is being enabled then UpdateViewType is required',
  refused: 'If stream is being disabled, then UpdateViewType must not be specified',
}

/** The view type of the requested stream, or `undefined` when none is requested. @throws ServiceError */
export function streamViewTypeOf(
  input: StreamSpecificationInput | undefined,
  { missing, refused }: ViewTypeTexts,
): StreamViewType | undefined {
  if (input === undefined) return undefined
  const { StreamEnabled: enabled, StreamViewType: viewType } = input
  if (enabled && viewType === undefined) throw invalidParameters(missing)
  if (!enabled && viewType !== undefined) throw invalidParameters(refused)
  return viewType
}
