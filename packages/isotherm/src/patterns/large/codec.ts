import * as zlib from 'node:zlib'

/** How bytes are compressed. `zstd` needs Node 22.15 or later, in every process that reads. */
export type Compression = 'gzip' | 'brotli' | 'zstd' | 'none'

type Transform = (bytes: Uint8Array) => Uint8Array

interface Codec {
  readonly name: Compression
  readonly compress: Transform
  readonly decompress: Transform
}

/** Newer than the oldest Node that is supported. */
const { zstdCompressSync, zstdDecompressSync } = zlib as unknown as {
  readonly zstdCompressSync?: Transform
  readonly zstdDecompressSync?: Transform
}

/** The default of 11 takes a hundred times as long for a tenth fewer bytes; this takes as long as gzip. */
const BROTLI_QUALITY = 5

/** By the first byte of a frame. The numbers are stored, so they never change. */
const CODECS: ReadonlyMap<number, Codec> = new Map<number, Codec>([
  [0, { name: 'none', compress: (bytes) => bytes, decompress: (bytes) => bytes }],
  [
    1,
    {
      name: 'gzip',
      compress: (bytes) => zlib.gzipSync(bytes),
      decompress: (bytes) => zlib.gunzipSync(bytes),
    },
  ],
  [
    2,
    {
      name: 'brotli',
      compress: (bytes) =>
        zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      decompress: (bytes) => zlib.brotliDecompressSync(bytes),
    },
  ],
  ...(zstdCompressSync === undefined || zstdDecompressSync === undefined
    ? []
    : ([[3, { name: 'zstd', compress: zstdCompressSync, decompress: zstdDecompressSync }]] as const)),
])

const STORED = 0
const NAMES: Readonly<Record<number, string>> = { 0: 'none', 1: 'gzip', 2: 'brotli', 3: 'zstd' }

/** Compression that does not save so much is not worth the time that reading takes. */
const WORTHWHILE_SHARE = 0.9

/** The forms of compression that this version of Node knows. */
export function knownCompressions(): readonly Compression[] {
  return Array.from(CODECS.values(), ({ name }) => name)
}

/**
 * Packs bytes into a frame: a byte that names the codec, and the compressed bytes, or the bytes themselves where compression does not
 * make them a tenth smaller.
 */
export function toFrame(bytes: Uint8Array, compression: Compression): Uint8Array {
  for (const [code, codec] of CODECS) {
    if (code === STORED || codec.name !== compression) continue
    const compressed = codec.compress(bytes)
    if (compressed.length <= bytes.length * WORTHWHILE_SHARE) return framed(code, compressed)
  }
  return framed(STORED, bytes)
}

/** @returns `undefined` if this version of Node does not know the codec, and for bytes that the codec did not make */
export function fromFrame(frame: Uint8Array): Uint8Array | undefined {
  try {
    return CODECS.get(frame[0] ?? -1)?.decompress(frame.subarray(1))
  } catch {
    return undefined
  }
}

/** @returns the codec of the frame if this version of Node does not know it */
export function unknownCodecOf(frame: Uint8Array): string | undefined {
  const code = frame[0] ?? -1
  return CODECS.has(code) ? undefined : (NAMES[code] ?? String(code))
}

const SAMPLE_SLICES = 4
const SAMPLE_SLICE_BYTES = 8_192

/**
 * The share that remains of the bytes after compression, estimated from slices of them: a picture or a film of many megabytes is not
 * compressed in vain.
 */
export function remainingShare(bytes: Uint8Array, compression: Compression): number {
  const wanted = SAMPLE_SLICES * SAMPLE_SLICE_BYTES
  if (compression === 'none' || bytes.length === 0) return 1
  if (bytes.length <= wanted) return toFrame(bytes, compression).length / bytes.length
  const step = (bytes.length - SAMPLE_SLICE_BYTES) / (SAMPLE_SLICES - 1)
  const sample = new Uint8Array(wanted)
  for (let slice = 0; slice < SAMPLE_SLICES; slice++) {
    const from = Math.floor(slice * step)
    sample.set(bytes.subarray(from, from + SAMPLE_SLICE_BYTES), slice * SAMPLE_SLICE_BYTES)
  }
  return toFrame(sample, compression).length / wanted
}

function framed(code: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(bytes.length + 1)
  frame[0] = code
  frame.set(bytes, 1)
  return frame
}
