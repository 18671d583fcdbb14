/** S3 has no longer keys. */
const MAX_KEY_BYTES = 1024

/** The bytes of a name that all common file systems take. */
const MAX_SEGMENT_BYTES = 255

/**
 * Why a key, or the beginning of one, cannot be a path below a bucket: a sentence that completes "S3Prefix is 'a/../b'; ".
 * `undefined` if it can be one. Keys of S3 may contain anything, but the names of files may not.
 */
export function keyViolation(key: string): string | undefined {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `it must have at most ${MAX_KEY_BYTES} bytes`
  if (key.includes('\u0000')) return 'it must not contain a zero byte'
  if (key.includes('\\')) return 'it must not contain a backslash'
  const segments = keySegments(key)
  if (segments.includes('')) return 'it must not begin with a slash or contain two of them in a row'
  const dots = segments.find((segment) => segment === '.' || segment === '..')
  if (dots !== undefined)
    return `no part between slashes may be '${dots}', because files must stay in the bucket`
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES))
    return `no part between slashes may have more than ${MAX_SEGMENT_BYTES} bytes`
  return undefined
}

/** The parts between the slashes. A slash at the end adds none. */
export function keySegments(key: string): readonly string[] {
  if (key === '') return []
  return (key.endsWith('/') ? key.slice(0, -1) : key).split('/')
}
