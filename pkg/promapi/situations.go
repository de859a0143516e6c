package promapi

// The kinds of a QueryError.
const (
	// KindConnection: no connection could be made; KindBroken: it was made and ended early.
	KindConnection = "connection"
	KindBroken     = "broken"
	KindHostName   = "host_name"
	KindTLS        = "tls"
	// KindNotHTTPS and KindNotHTTP: the address has the other scheme than the server.
	KindNotHTTPS = "not_https"
	KindNotHTTP  = "not_http"
	// KindNoAnswer: our own time limit passed; KindQueryTimeout: the server's for a query did.
	KindNoAnswer     = "no_answer"
	KindQueryTimeout = "query_timeout"
	// KindCredentials is HTTP 401, KindPermission 403, KindNoAPI 404, KindGateway 502, KindNotReady 503,
	// KindGatewayTimeout 504, KindServerError any other 5xx, KindRateLimited 429.
	KindCredentials    = "credentials"
	KindPermission     = "permission"
	KindNoAPI          = "no_api"
	KindGateway        = "gateway"
	KindNotReady       = "not_ready"
	KindGatewayTimeout = "gateway_timeout"
	KindServerError    = "server_error"
	KindRateLimited    = "rate_limited"
	// KindNoDataSource and KindDataSourceCredentials are answers of Grafana's data source proxy.
	KindNoDataSource          = "no_data_source"
	KindDataSourceCredentials = "data_source_credentials"
	// KindBadData and KindExecution are the API's own errors about a query.
	KindBadData   = "bad_data"
	KindExecution = "execution"
	// KindBadResponse: the answer is not that of a Prometheus API; KindBadResult: it is, but not of the type that
	// was asked for; KindTooLarge: it is over our limit.
	KindBadResponse = "bad_response"
	KindBadResult   = "bad_result"
	KindTooLarge    = "too_large"
	// KindCanceled: nobody waits for the answer any more.
	KindCanceled = "canceled"
)

// wording is what a user is told: what happened, and the one next step.
type wording struct{ says, next string }

// situation is one way to get no answer. Grafana's wording holds when the server is asked through Grafana's
// data source proxy; without one the direct wording holds there too.
type situation struct {
	state           State
	direct, grafana wording
}

const (
	grafanaAddress = "Correct the address at which Grafana is reached from this machine; in the plugin's settings it is prometheus.grafanaUrl."
	askLater       = "Wait a little and evaluate again."
)

// situations is the one table of what is said about a server that does not answer.
var situations = map[string]situation{
	KindConnection: {StateUnreachable,
		wording{"nothing answers at this address", "Start the server, or correct host and port of the address."},
		wording{"Grafana does not answer at this address", grafanaAddress}},
	KindBroken: {StateUnreachable, wording{"the connection broke", "Evaluate again; if it breaks again, look at the server's log."}, wording{}},
	KindHostName: {StateUnreachable,
		wording{"the host name cannot be resolved", "Correct the host name of the address, or the name service of this machine."},
		wording{"Grafana's host name cannot be resolved", grafanaAddress}},
	KindTLS: {StateUnreachable, wording{"there is no trusted TLS connection", "Make the server's certificate trusted on this machine, or use the host name that it is made for."}, wording{}},
	KindNotHTTPS: {StateUnreachable,
		wording{"the server does not speak HTTPS", "Write http:// instead of https:// in the address."},
		wording{"Grafana does not speak HTTPS", grafanaAddress}},
	KindNotHTTP: {StateUnreachable,
		wording{"the server speaks HTTPS, not HTTP", "Write https:// instead of http:// in the address."},
		wording{"Grafana, or the server behind it, speaks HTTPS, not HTTP", "Write https:// instead of http:// in the address."}},
	KindNoAnswer: {StateUnreachable,
		wording{"the server did not answer in time", "Check that it is not overloaded and that host and port are right, then evaluate again."},
		wording{"Grafana did not answer in time", "Check that Grafana and the data source's server are not overloaded, then evaluate again."}},
	KindQueryTimeout: {StateFailed, wording{"the query took longer than the server allows", askLater}, wording{}},
	KindCredentials: {StateRefused,
		wording{"the server wants other credentials", "Correct the user, password or headers that are sent to it."},
		wording{"Grafana refused the token", "Renew the service account token that is sent to Grafana; disabling and enabling the plugin renews a managed one."}},
	KindPermission: {StateRefused,
		wording{"the server does not let these credentials query", "Give them the permission to query."},
		wording{"the service account may not query this data source", "Grant it datasources:query on this data source."}},
	KindDataSourceCredentials: {StateRefused, wording{},
		wording{"the data source's server refused the credentials that Grafana sends", "Correct the credentials in the data source's settings."}},
	KindNoAPI: {StateUnreachable,
		wording{"there is no Prometheus API at this address", "Correct the address: /api/v1/query must lie below it."},
		wording{"there is no Prometheus API at the data source's URL", "Correct the URL in the data source's settings: /api/v1/query must lie below it."}},
	KindNoDataSource: {StateUnreachable, wording{}, wording{"Grafana knows no data source with this UID", "Choose the data source again."}},
	KindGateway: {StateUnreachable,
		wording{"a proxy at this address cannot reach the server behind it", "Check that the server behind the proxy runs."},
		wording{"Grafana cannot reach the data source's server", "Check the URL in the data source's settings, and that its server runs."}},
	KindNotReady: {StateUnreachable, wording{"the server is not ready", "Wait until it has started, then evaluate again."}, wording{}},
	KindGatewayTimeout: {StateUnreachable,
		wording{"a proxy at this address got no answer in time from the server behind it", "Check the load of the server behind the proxy, then evaluate again."},
		wording{"Grafana got no answer in time from the data source's server", "Check the load of the data source's server, then evaluate again."}},
	KindServerError: {StateFailed, wording{"the server failed", "Look at the server's log, then evaluate again."}, wording{}},
	KindRateLimited: {StateFailed, wording{"the server wants fewer queries", askLater}, wording{}},
	KindBadData:     {StateFailed, wording{"the server does not understand the query", "Check the query in the profile and the version of the server."}, wording{}},
	KindExecution:   {StateFailed, wording{"the server could not carry out the query", "Narrow the profile's matchers, or raise the server's limits."}, wording{}},
	KindBadResponse: {StateFailed,
		wording{"the answer is not that of a Prometheus API", "Point the address at a Prometheus-compatible server."},
		wording{"the answer is not that of a Prometheus API", "Choose a data source whose server is Prometheus-compatible."}},
	KindBadResult: {StateFailed, wording{"the answer is of another type", "Check that the query returns numbers and that the server is Prometheus-compatible."}, wording{}},
	KindTooLarge:  {StateFailed, wording{"the answer is larger than the limit", "Narrow the profile's matchers."}, wording{}},
	KindCanceled:  {StateFailed, wording{"the question was withdrawn", ""}, wording{}},
}
