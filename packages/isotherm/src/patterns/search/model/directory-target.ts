import type { Sender } from '../../sending/pattern-client.js'
import type { Patience } from '../../until-taken.js'
import type { DirectoryDefinition } from './define-directory.js'

/** A directory as its operations see it. */
export interface DirectoryTarget {
  readonly db: Sender
  readonly definition: DirectoryDefinition
  readonly patience: Patience
}
