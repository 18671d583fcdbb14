import { view } from '../state/view'

/** The text of a key, or a stand-in that is the same for the same key, for screenshots. */
export function keyText(label: string): string {
  if (!view.value.redacted) return label
  let hash = 2_166_136_261
  for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 16_777_619)
  return `key ${(hash >>> 0).toString(36)}`
}
