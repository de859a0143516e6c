package plugin

import (
	"context"
	"errors"
	"fmt"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/app"
	"github.com/grafana/grafana-plugin-sdk-go/backend/datasource"
	"github.com/grafana/grafana-plugin-sdk-go/backend/instancemgmt"
	"golang.org/x/sync/semaphore"
)

// Dispatcher serves the app and its nested data source from one binary. Grafana starts a process per
// plugin and tells neither by argument nor by environment which one it is; only the plugin context of
// each request does.
type Dispatcher struct {
	apps        instancemgmt.InstanceManager
	datasources instancemgmt.InstanceManager
}

var (
	_ backend.CheckHealthHandler  = (*Dispatcher)(nil)
	_ backend.CallResourceHandler = (*Dispatcher)(nil)
	_ backend.QueryDataHandler    = (*Dispatcher)(nil)
)

// NewDispatcher builds the handlers of both plugins from what the operator configured.
func NewDispatcher(op Operator) (*Dispatcher, error) {
	if op.Registerer != nil {
		t, err := newTelemetry(op.Registerer)
		if err != nil {
			return nil, fmt.Errorf("registering the plugin's metrics: %w", err)
		}
		op.telemetry = t
	}
	op.turns = semaphore.NewWeighted(maxMeasurements)
	return &Dispatcher{
		apps: app.NewInstanceManager(func(ctx context.Context, s backend.AppInstanceSettings) (instancemgmt.Instance, error) {
			opts, err := s.HTTPClientOptions(ctx)
			return newInstance(ctx, op, s.JSONData, s.DecryptedSecureJSONData, opts, err), nil
		}),
		datasources: datasource.NewInstanceManager(func(ctx context.Context, s backend.DataSourceInstanceSettings) (instancemgmt.Instance, error) {
			opts, err := s.HTTPClientOptions(ctx)
			return newInstance(ctx, op, s.JSONData, s.DecryptedSecureJSONData, opts, err), nil
		}),
	}, nil
}

func (d *Dispatcher) instance(ctx context.Context, pc backend.PluginContext) (*Instance, error) {
	manager := d.apps
	if pc.DataSourceInstanceSettings != nil {
		manager = d.datasources
	}
	got, err := manager.Get(ctx, pc)
	if err != nil {
		return nil, err
	}
	inst, ok := got.(*Instance)
	if !ok {
		return nil, errors.New("plugin instance has an unexpected type")
	}
	return inst, nil
}

// CheckHealth implements backend.CheckHealthHandler.
func (d *Dispatcher) CheckHealth(ctx context.Context, req *backend.CheckHealthRequest) (*backend.CheckHealthResult, error) {
	inst, err := d.instance(ctx, req.PluginContext)
	if inst == nil {
		// A health check answers with what is wrong; an error would hide it behind "plugin unavailable".
		return &backend.CheckHealthResult{Status: backend.HealthStatusError, Message: err.Error()}, nil
	}
	return inst.CheckHealth(ctx, req)
}

// CallResource implements backend.CallResourceHandler.
func (d *Dispatcher) CallResource(ctx context.Context, req *backend.CallResourceRequest, sender backend.CallResourceResponseSender) error {
	inst, err := d.instance(ctx, req.PluginContext)
	if err != nil {
		return err
	}
	return inst.CallResource(ctx, req, sender)
}

// QueryData implements backend.QueryDataHandler; Grafana sends queries to the data source only.
func (d *Dispatcher) QueryData(ctx context.Context, req *backend.QueryDataRequest) (*backend.QueryDataResponse, error) {
	inst, err := d.instance(ctx, req.PluginContext)
	if err != nil {
		return nil, err
	}
	return inst.QueryData(ctx, req)
}
