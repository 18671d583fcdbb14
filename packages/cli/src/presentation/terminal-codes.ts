export const HIDE_CURSOR = '\u001B[?25l'
export const SHOW_CURSOR = '\u001B[?25h'
/** Between these two, a terminal shows nothing half drawn. Those that do not know them ignore them. */
export const START_FRAME = '\u001B[?2026h'
export const END_FRAME = '\u001B[?2026l'
