import { hasMoves, type ShardView } from '../states/shard-view.js'
import { readingStage } from './reading-stage.js'

/**
 * Which of its places an item is looked for in, time after time until it is found: in all of them first, and where none has it,
 * in those of each later stage once more, one stage after another.
 *
 * The answers of one batch are not of one moment, and an item on its way may be missing from all of them. But it can only
 * have gone to a later stage, and one that is not there at a later moment, nor in any stage after that, did not exist
 * at some moment between. More than one look proves something only where all of them are consistent.
 *
 * @param places in the order in which an item passes them
 */
export function looksFor(view: ShardView, places: readonly number[]): readonly (readonly number[])[] {
  if (!hasMoves(view)) return [places]
  const stages = new Set(places.map((place) => readingStage(view, place)))
  const later = [...stages].slice(1)
  return [places, ...later.map((stage) => places.filter((place) => readingStage(view, place) === stage))]
}
