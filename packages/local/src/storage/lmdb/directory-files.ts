import { ITEMS_FILE } from './free-space.js'
import { STAMP_FILE } from './stamp.js'

export const OPENER_FILE = 'opener.mdb'
/**
 * All files of a data directory, in the order in which they are removed. As long as there is a stamp, another engine finds the
 * directory in use.
 */
export const OWN_FILES = [ITEMS_FILE, `${ITEMS_FILE}-lock`, STAMP_FILE, OPENER_FILE, `${OPENER_FILE}-lock`]
/** The files that a claim uses, and that an engine uses besides them. */
export const CLAIMED_FILES = [OPENER_FILE, `${OPENER_FILE}-lock`]
export const USED_FILES = [STAMP_FILE, ITEMS_FILE, `${ITEMS_FILE}-lock`]
