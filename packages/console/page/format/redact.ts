import { visibleText } from '../../src/items/visible-text'
import { view } from '../state/view'

/** Of a longer key, a sentence has only the beginning. The tables have more. */
const SENTENCE_CHARACTERS = 80

/** The text of a key within a sentence. */
export function shortKeyText(label: string): string {
  const text = keyText(label)
  return text.length > SENTENCE_CHARACTERS ? `${text.slice(0, SENTENCE_CHARACTERS)}…` : text
}

/** The text of a key, or a stand-in that is the same for the same key, for screenshots. */
export function keyText(label: string): string {
  if (!view.value.redacted) return visibleText(label)
  let hash = 2_166_136_261
  for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 16_777_619)
  return `key ${(hash >>> 0).toString(36)}`
}
