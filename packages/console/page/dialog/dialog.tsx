import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import './dialog.css'

interface DialogProps {
  readonly name: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog above the page, which Escape closes. */
export function Dialog({ name, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    return () => {
      // The keyboard returns to where it was.
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={element} class="dialog" aria-label={name} onClose={onClose}>
      {children}
    </dialog>
  )
}
