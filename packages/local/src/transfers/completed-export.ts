import type { Buckets } from '../buckets/buckets.js'
import type { ExportState } from '../catalog/export-state.js'
import { isJsonObject } from '../json/json-kind.js'
import { SUMMARY } from './write-export.js'

/**
 * An export in progress as it ended, if its folder shows that it is complete. A process may have been killed between the
 * publication of the folder, which is the end of an export, and the write of its record.
 * @returns `undefined` when it is not complete
 */
export function completedExport(buckets: Buckets, state: ExportState): ExportState | undefined {
  const summary = parsed(buckets.readAtOnce(state.bucket, `${state.folder}/${SUMMARY}`))
  if (!isJsonObject(summary) || summary.exportArn !== state.arn) return undefined
  const { itemCount: items, billedSizeBytes: bytes, endTime } = summary
  const endedAt = Date.parse(String(endTime))
  if (typeof items !== 'number' || typeof bytes !== 'number' || Number.isNaN(endedAt)) return undefined
  return { ...state, status: 'COMPLETED', items, bytes, endedAt }
}

function parsed(text: Buffer | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text.toString())
  } catch {
    return undefined
  }
}
