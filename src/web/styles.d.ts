// Styles are taken in by the bundler.
declare module '*.css'
