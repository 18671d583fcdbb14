import { useEffect, useState } from 'preact/hooks'

/** How long the button says what it did. */
const SAID_MILLISECONDS = 2_000

export function CopyButton({ text, name = 'Copy key' }: { readonly text: string; readonly name?: string }) {
  const [said, say] = useState<string | undefined>()
  useEffect(() => {
    if (said === undefined) return undefined
    const timer = setTimeout(() => say(undefined), SAID_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Cannot copy here'),
    )
  return (
    <button type="button" onClick={copy}>
      {said ?? name}
    </button>
  )
}
