import { MemoryStorage } from './memory-storage.js'
import { describeStorage } from './storage.behaviour.js'

describeStorage('the store in memory', () => new MemoryStorage())
