import { Waiting } from './waiting'

/** In place of an answer that there never was: why, or that it is on its way. */
export function Unanswered({ failure }: { readonly failure: string | undefined }) {
  return failure === undefined ? <Waiting /> : <Failure text={failure} />
}

/** Why the latest answer is missing. What is shown with it is from before. */
export function Failure({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p class="failure">{text}</p>
}
