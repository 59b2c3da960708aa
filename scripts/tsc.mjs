// The compiler that checks and writes types: the native one, a quarter of the other's processor time. Tests that read programs need
// the other one, `typescript`, as the native one has no interface for programs; both would be `tsc` in node_modules/.bin.
import '../node_modules/typescript-native/lib/tsc.js'
