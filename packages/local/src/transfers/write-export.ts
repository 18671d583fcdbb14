import { createHash, hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Clock } from '@isotherm/runtime'
import type { Buckets, NewFolder } from '../buckets/buckets.js'
import type { ExportState } from '../catalog/export-state.js'
import type { KeyRange } from '../keyspace/key-range.js'
import type { KeyspaceView } from '../storage/keyspace-view.js'
import { type ExportTally, exportedLines } from './exported-lines.js'

/** What an export is written from. */
export interface ExportJob {
  readonly state: ExportState
  readonly view: KeyspaceView
  /** The data objects to write, one for each partition, as on the service. */
  readonly objects: readonly { readonly name: string; readonly range: KeyRange }[]
  readonly buckets: Buckets
  readonly clock: Clock
  /** Ends the export. */
  readonly signal: AbortSignal
}

/**
 * Writes an export in the layout of the service, and shows it when it is complete.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
 * @returns the state of the export that is complete
 */
export async function writeExport(job: ExportJob): Promise<ExportState> {
  const { state, buckets, clock, signal } = job
  const { bucket, folder: key } = state
  try {
    const folder = await buckets.newFolder(bucket, key)
    await writeText(folder, '_started', '')
    const tally: ExportTally = { items: 0, bytes: 0 }
    const lines: string[] = []
    for (const object of job.objects) {
      signal.throwIfAborted()
      lines.push(`${JSON.stringify(await writeData(folder, job, object, tally))}\n`)
    }
    const complete: ExportState = { ...state, ...tally, status: 'COMPLETED', endedAt: clock.now() }
    await writeManifest(folder, 'files', lines.join(''))
    await writeManifest(folder, 'summary', JSON.stringify(summaryOf(complete)))
    signal.throwIfAborted()
    await folder.publish()
    return complete
  } catch (error) {
    await buckets.discard(bucket, key).catch(() => {})
    throw error
  }
}

/** The key of the summary in the folder of an export. */
export const SUMMARY = manifestName('summary')

function manifestName(which: 'files' | 'summary'): string {
  return `manifest-${which}.json`
}

/** Writes the items of a partition. @returns its line of the files manifest */
async function writeData(
  folder: NewFolder,
  { state, view, signal }: ExportJob,
  { name, range }: ExportJob['objects'][number],
  total: ExportTally,
): Promise<object> {
  const tally: ExportTally = { items: 0, bytes: 0 }
  const digest = createHash('md5')
  async function* digested(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      digest.update(chunk)
      yield chunk
    }
  }
  const object = `data/${name}.json.gz`
  await folder.write(object, (target) =>
    pipeline(exportedLines(view, range, tally), createGzip(), digested, target, { signal }),
  )
  total.items += tally.items
  total.bytes += tally.bytes
  const md5 = digest.digest()
  return {
    itemCount: tally.items,
    md5Checksum: md5.toString('base64'),
    etag: md5.toString('hex'),
    dataFileS3Key: `${state.folder}/${object}`,
  }
}

/** Writes a manifest and its checksum. */
async function writeManifest(folder: NewFolder, which: 'files' | 'summary', text: string): Promise<void> {
  await writeText(folder, manifestName(which), text)
  await writeText(folder, `manifest-${which}.checksum`, hash('md5', text, 'base64'))
}

function writeText(folder: NewFolder, name: string, text: string): Promise<void> {
  return folder.write(name, (target) => pipeline([text], target))
}

function summaryOf(state: ExportState): object {
  const { arn, startedAt, endedAt = startedAt, tableArn, tableId, exportTime, bucket, folder } = state
  return {
    version: '2020-06-30',
    exportArn: arn,
    startTime: new Date(startedAt).toISOString(),
    endTime: new Date(endedAt).toISOString(),
    tableArn,
    tableId,
    exportTime: new Date(exportTime).toISOString(),
    s3Bucket: bucket,
    s3Prefix: state.prefix ?? null,
    s3SseAlgorithm: state.sseAlgorithm ?? 'AES256',
    s3SseKmsKeyId: null,
    manifestFilesS3Key: `${folder}/${manifestName('files')}`,
    billedSizeBytes: state.bytes,
    itemCount: state.items,
    outputFormat: 'DYNAMODB_JSON',
  }
}
