import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../state/message-of'
import { Dialog } from './dialog'

interface ConfirmDialogProps {
  readonly title: string
  /** What will be lost. */
  readonly children: ComponentChildren
  /** The text that must be typed first. */
  readonly word: string
  /** What the button does, such as `Delete the table`. */
  readonly action: string
  /** Does it. @param onProgress says how far it is */
  readonly onConfirm: (onProgress: (text: string) => void, signal: AbortSignal) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is lost for good, shows how far it is, and can be cancelled meanwhile. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, word, action, onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const [progress, setProgress] = useState<string | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const work = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => work.current?.abort(new Error('The dialog was closed.')), [])
  const confirm = async (event: SubmitEvent) => {
    event.preventDefault()
    const running = new AbortController()
    work.current = running
    setFailure(undefined)
    setProgress('Working …')
    try {
      await onConfirm(setProgress, running.signal)
      if (!running.signal.aborted) onClose()
    } catch (error) {
      if (!running.signal.aborted) setFailure(messageOf(error))
    } finally {
      setProgress(undefined)
    }
  }
  const isRunning = progress !== undefined
  return (
    <Dialog name={title} onClose={onClose}>
      <form onSubmit={confirm}>
        <h2>{title}</h2>
        {children}
        <label class="confirm">
          Type {word} to confirm
          <input
            type="text"
            value={typed}
            disabled={isRunning}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {isRunning && (
          <>
            <progress aria-label={title} />
            <p role="status">{progress}</p>
          </>
        )}
        {failure !== undefined && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="danger" disabled={typed !== word || isRunning}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
