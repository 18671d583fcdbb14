// The engine without its client and endpoint, for figures of its own. The package exports neither, so these are its files.
export { Engine } from '../../../packages/local/dist/engine/engine.js'
export { LmdbStorage } from '../../../packages/local/dist/storage/lmdb/lmdb-storage.js'
export { MemoryStorage } from '../../../packages/local/dist/storage/memory-storage.js'
