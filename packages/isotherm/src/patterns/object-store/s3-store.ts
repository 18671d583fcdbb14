import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { refuseUnknown, requireObject, requireText } from '../../options/check.js'
import type { ObjectStore } from './object-store.js'

/** Options of `s3Store`. */
export interface S3StoreOptions {
  /** The bucket. It must exist. */
  readonly bucket: string
  /** Begins the key of every object, for example `documents/`. Default: nothing. */
  readonly prefix?: string | undefined
}

/**
 * Creates an object store in a bucket of Amazon S3, or of any store that the S3 client can be configured for, such as MinIO or
 * Cloudflare R2.
 *
 * You own the client: set its region, its endpoint and its retries, and destroy it. It needs `s3:PutObject`, `s3:GetObject` and
 * `s3:DeleteObject`, and `s3:ListBucket`, without which S3 answers 403 for an object that does not exist.
 *
 * @throws IsothermError `options.unknown` or `options.invalid`; the error names the option
 * @example const store = s3Store(new S3Client({}), { bucket: 'acme-documents' })
 */
export function s3Store(client: Pick<S3Client, 'send'>, options: S3StoreOptions): ObjectStore {
  requireObject('s3Store', options, 'an object with a bucket')
  refuseUnknown('s3Store', options, ['bucket', 'prefix'])
  const Bucket = requireText('s3Store.bucket', options.bucket, 'the name of a bucket')
  const { prefix = '' } = options
  const objectOf = (name: string) => ({ Bucket, Key: `${prefix}${name}` })
  const within = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { abortSignal: signal })
  return {
    async put(name, bytes, signal) {
      await client.send(new PutObjectCommand({ ...objectOf(name), Body: bytes }), within(signal))
    },
    async get(name, signal) {
      try {
        const { Body } = await client.send(new GetObjectCommand(objectOf(name)), within(signal))
        return await Body?.transformToByteArray()
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined
        throw error
      }
    },
    async delete(name, signal) {
      await client.send(new DeleteObjectCommand(objectOf(name)), within(signal))
    },
  }
}
