// The engine without its client and endpoint, to measure it alone. The package does not export these parts, so they come from its files.
export { Engine } from '../../../packages/local/dist/engine/engine.js'
export { LmdbStorage } from '../../../packages/local/dist/storage/lmdb/lmdb-storage.js'
export { MemoryStorage } from '../../../packages/local/dist/storage/memory-storage.js'
