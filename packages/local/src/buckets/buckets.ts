import type { Readable, Writable } from 'node:stream'

/** An object of a bucket. */
export interface BucketObject {
  /** Its key, with slashes. */
  readonly key: string
  readonly bytes: number
}

/** A folder of objects that nobody sees until it is published. */
export interface NewFolder {
  /**
   * Adds an object.
   * @param name its key within the folder
   * @param fill writes its content and ends it
   */
  write(name: string, fill: (object: Writable) => Promise<void>): Promise<void>
  /** Shows all objects at once. They are then on the disk. */
  publish(): Promise<void>
}

/** Storage for exports and imports, in place of S3. All methods throw BucketError. */
export interface Buckets {
  /**
   * Begins a folder. The bucket is created if it is missing.
   * @param key of the folder. No folder may have it.
   */
  newFolder(bucket: string, key: string): Promise<NewFolder>
  /** Removes what is left of a folder that was not published. */
  discard(bucket: string, key: string): Promise<void>
  /** All published objects whose key begins with a prefix, by key. */
  objects(bucket: string, prefix: string): Promise<readonly BucketObject[]>
  read(bucket: string, key: string): Promise<Readable>
  /** The content of a small published object, at once: an engine that is opened waits for nothing. `undefined` if there is none. */
  readAtOnce(bucket: string, key: string): Buffer | undefined
}
