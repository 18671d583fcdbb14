/** @param site the folder that is written */
export function buildPage(site?: string): Promise<void>
