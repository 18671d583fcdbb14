import { hasMoves, type ShardView } from '../states/shard-view.js'
import { readingStage } from './reading-stage.js'

/**
 * Returns the rounds in which to look for an item until it is found. The first round reads all places. The next rounds read the
 * places of each later stage again, one stage after another.
 *
 * The reads of one batch happen at different moments, so a moving item may be missing from all of them. But an item only moves to a
 * later stage. If a later read does not find it there, nor in any stage after that, the item did not exist at some moment between
 * the reads. More than one round proves this only if all reads are consistent.
 *
 * @param places in the order in which an item passes them
 */
export function looksFor(view: ShardView, places: readonly number[]): readonly (readonly number[])[] {
  if (!hasMoves(view)) return [places]
  const stages = new Set(places.map((place) => readingStage(view, place)))
  const later = [...stages].slice(1)
  return [places, ...later.map((stage) => places.filter((place) => readingStage(view, place) === stage))]
}
