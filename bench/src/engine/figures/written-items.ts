/** The table that a data directory is filled with. */
export const WRITTEN_TABLE = 'items'

/** The key of an item. There are as many as wanted, and none is a key of the measured operations. */
export const writtenKey = (number: number) => ({ pk: { S: `written-${String(number).padStart(9, '0')}` } })

export const writtenItem = (number: number) => ({ ...writtenKey(number), about: { S: 'x'.repeat(1_000) } })
