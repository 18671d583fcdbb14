/** The bundler writes imported stylesheets into a file of their own. */
declare module '*.css'
