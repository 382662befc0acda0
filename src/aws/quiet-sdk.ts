// The SDK warns of Node versions that it will leave behind; who runs trailseal cannot mend that in a report. It reads
// this at its first client, so whatever makes clients imports this file before.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
